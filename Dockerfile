# docker build -t cavalcade . ; docker run --rm cavalcade tour 8x8
# The studio listens on the loopback of its machine alone, so it does not work from a container.
FROM python:3.12-slim
COPY . /src
RUN pip install --no-cache-dir --constraint /src/constraints.txt '/src[png,pdf,networkx,pandas]' && rm -rf /src
RUN useradd --create-home player
USER player
WORKDIR /home/player
ENTRYPOINT ["cavalcade"]
CMD ["tour", "8x8"]
