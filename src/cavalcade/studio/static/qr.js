// QR codes: text as a square of dark and light modules, by ISO/IEC 18004; bytes, error correction level L, up to version 20.

// of each version: codewords of error correction to a block, and blocks
const BLOCKS = [
  [7, 1], [10, 1], [15, 1], [20, 1], [26, 1], [18, 2], [20, 2], [24, 2], [30, 2], [18, 4],
  [20, 4], [24, 4], [26, 4], [30, 4], [22, 6], [24, 6], [28, 6], [30, 6], [28, 7], [28, 8],
];
/** Which modules a mask inverts. @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0, (_, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A product in the field of 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** What a polynomial leaves of bits that follow it. @param {number} data @param {number} by @param {number} degree */
function rest(data, by, degree) {
  let found = data << degree;
  for (let bit = 31 - Math.clz32(data) + degree; bit >= degree; bit--) if ((found >> bit) & 1) found ^= by << (bit - degree);
  return found;
}

/** The codewords that correct errors, by Reed and Solomon. @param {number[]} data @param {number} size */
function correction(data, size) {
  let divisor = [1];
  for (let i = 0, root = 1; i < size; i++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((one, k) => one ^ (k ? times(divisor[k - 1], root) : 0));
  }
  const found = [...data, ...Array(size).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = found[i];
    if (factor) divisor.forEach((one, k) => (found[i + k] ^= times(one, factor)));
  }
  return found.slice(data.length);
}

/** The middles of the alignment patterns, in each direction. @param {number} version @param {number} size */
function alignments(version, size) {
  if (version === 1) return [];
  const gaps = Math.floor(version / 7) + 1;
  const step = 2 * Math.ceil((size - 13) / (2 * gaps));
  return [6, ...Array(gaps).fill(0).map((_, i) => size - 7 - step * (gaps - 1 - i))];
}

/** The codewords of a text in their order. @param {Uint8Array} text @param {number} version @param {number} all */
function codewords(text, version, all) {
  const [size, count] = BLOCKS[version - 1];
  const room = all - size * count;
  const bits = [0, 1, 0, 0];
  const put = (/** @type {number} */ value, /** @type {number} */ many) => {
    for (let i = many - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(text.length, version < 10 ? 8 : 16);
  for (const byte of text) put(byte, 8);
  put(0, Math.min(4, 8 * room - bits.length));
  put(0, -bits.length & 7);
  const data = Array(bits.length / 8).fill(0).map((_, i) => bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  for (let i = 0; data.length < room; i++) data.push(i % 2 ? 0x11 : 0xec);
  const short = Math.floor(room / count);
  const shorter = count - (room % count);
  const blocks = Array(count).fill(0).map((_, i) => data.slice(i * short + Math.max(0, i - shorter), (i + 1) * short + Math.max(0, i + 1 - shorter)));
  const checks = blocks.map((block) => correction(block, size));
  const mixed = [];
  for (let i = 0; i <= short; i++) for (const block of blocks) if (i < block.length) mixed.push(block[i]);
  for (let i = 0; i < size; i++) for (const check of checks) mixed.push(check[i]);
  return mixed;
}

/**
 * The modules of a code, row by row; 1 is dark.
 * @param {string} said
 * @param {number} [mask] the one whose code has the fewest modules like their neighbours, if it is not given
 * @returns {number[][]} nothing if the text is too long
 */
export function qr(said, mask) {
  const text = new TextEncoder().encode(said);
  const least = BLOCKS.findIndex(([size, count], i) => 4 + (i < 9 ? 8 : 16) + 8 * text.length <= 8 * (capacity(i + 1) - size * count));
  if (least < 0) return [];
  if (mask === undefined) {
    const codes = MASKS.map((_, i) => qr(said, i));
    const alike = codes.map((code) => code.flatMap((row, y) => row.map((one, x) => Number(one === row[x + 1]) + Number(one === code[y + 1]?.[x]))).reduce((a, b) => a + b));
    return codes[alike.indexOf(Math.min(...alike))];
  }
  const version = least + 1;
  const size = 17 + 4 * version;
  /** @type {number[][]} */
  const found = Array(size).fill(0).map(() => Array(size).fill(-1));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number | boolean} */ dark) => {
    if (found[y]?.[x] !== undefined) found[y][x] = Number(dark);
  };
  const pattern = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ radius) => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const far = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, radius === 2 ? far !== 1 : far !== 2 && far !== 4);
      }
    }
  };
  for (let i = 0; i < size; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) pattern(x, y, 4);
  const middles = alignments(version, size);
  for (const x of middles) for (const y of middles) if (!(x === 6 && y === 6) && !(x === 6 && y === size - 7) && !(x === size - 7 && y === 6)) pattern(x, y, 2);
  const format = (((8 | mask) << 10) | rest(8 | mask, 0x537, 10)) ^ 0x5412; // 01 is level L
  for (let i = 0; i < 15; i++) {
    const bit = (format >> i) & 1;
    const along = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    set(8, along, bit);
    set(i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i, 8, bit);
  }
  set(8, size - 8, 1);
  if (version >= 7) {
    const bits = (version << 12) | rest(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, (bits >> i) & 1);
      set(b, a, (bits >> i) & 1);
    }
  }
  const words = codewords(text, version, capacity(version));
  let at = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (found[y][x] >= 0) continue;
        const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        found[y][x] = bit ^ Number(MASKS[mask](x, y));
        at++;
      }
    }
  }
  return found;
}

/** How many codewords a version has. @param {number} version */
function capacity(version) {
  const size = 17 + 4 * version;
  const across = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const aligned = across ? 25 * (across * across - 3) - 10 * (across - 2) : 0; // those on the timing lines share five modules
  return Math.floor((size * size - 3 * 64 - 31 - 2 * (size - 16) - aligned - (version >= 7 ? 36 : 0)) / 8);
}
