// The studio without a server: a page in a folder, or on any host of files. `local.js` answers; a worker runs the kernel.

import { revived } from "./bytes.js";
import { local } from "./local.js";
import { page } from "./page.js";

/**
 * A script as a worker; aborting its work ends it. Files may not be workers where the page is in a folder.
 * @param {string} script
 */
function worker(script) {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  /** @type {Worker | null} */
  let idle = null;
  return (/** @type {unknown} */ work, /** @type {AbortSignal | undefined} */ signal) => new Promise((resolve, reject) => {
    const one = idle ?? new Worker(address);
    idle = null;
    const stop = () => {
      one.terminate();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop);
    one.onmessage = ({ data }) => {
      signal?.removeEventListener("abort", stop);
      idle = one;
      resolve(data);
    };
    one.onerror = (event) => reject(new Error(event.message));
    one.postMessage(work);
  });
}

/**
 * Begin.
 * @param {(home: Home) => void} studio all other modules
 * @param {string} kernel the script of the worker
 * @param {Record<string, unknown>} first the answers that the page begins with
 */
export function play(studio, kernel, first) {
  const more = new Promise((resolve) => { // all other answers, which need not be there when the page appears
    const [onload, onerror] = [() => resolve(/** @type {any} */ (globalThis).cavalcade), () => resolve({})];
    setTimeout(() => document.head.append(Object.assign(document.createElement("script"), { src: "data.js", onload, onerror })), 0);
  });
  const known = async (/** @type {string} */ key) => {
    const found = first[key] ?? (await more)[key];
    return found && JSON.parse(JSON.stringify(found), revived);
  };
  if (location.protocol !== "file:" && "serviceWorker" in navigator) { // on a host: installable, and there without the network
    document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "app.webmanifest" }));
    navigator.serviceWorker.register("offline.js").catch(() => {}); // the host may forbid it
  }
  if (window !== window.top) { // in a frame of another page
    document.documentElement.dataset.framed = "";
    const link = document.getElementById("whole");
    if (link) link.hidden = false;
  }
  studio(page(local(known, /** @type {any} */ (worker(kernel)))));
}
