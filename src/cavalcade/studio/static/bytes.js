// Arrays that come as text.

/** @type {Record<string, new (buffer: ArrayBuffer) => unknown>} */
const ARRAYS = { int32: Int32Array, float32: Float32Array, uint8: Uint8Array };

/** Arrays come as their bytes in base 64. @param {string} _key @param {any} value */
export function revived(_key, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  for (const name in ARRAYS) {
    if (typeof value[name] === "string") return new ARRAYS[name](bytes(value[name]).buffer);
  }
  return value;
}

/** The bytes of a text in base 64. @param {string} text */
export function bytes(text) {
  const letters = atob(text);
  const found = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) found[i] = letters.charCodeAt(i);
  return found;
}
