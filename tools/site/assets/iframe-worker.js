/* The search is done by a worker, and browsers start none from a disk. There a frame that nobody sees does its work. */

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { hidden: true }));
      this.inner = frame.contentWindow;
      this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = Object.assign(this.inner.document.createElement("script"), { src: address });
      this.loaded = new Promise((done) => script.addEventListener("load", done));
      this.inner.document.head.append(script);
    }

    async postMessage(data) {
      await this.loaded;
      this.inner.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
