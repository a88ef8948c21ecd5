// Decodes the server's message: a JSON header and the numbers of every tensor, packed by heatmap.py.

/** @typedef {{ first: number, count: number, size: number }} Span the part of `size` that is shown */
/** @typedef {Float32Array | Uint8Array} Numbers */
/** @typedef {{ first: number, names: string[] }} Names of what is counted from `first` on */
/** @typedef {Span & { axis: string, labels: string, names: Names | null }} Side rows or columns; `names` is set here */
/**
 * A tensor from heatmap.py; fields after `slope` are set here.
 * @typedef {{ name: string, title: string, kind: "signed" | "probability" | "mask" | "tokens", whole: boolean,
 *   role: [letter: string, colour: string] | null, output: boolean, axes: number[], heads: Span | null, rows: Side,
 *   columns: Side, marked: number | null, gradient: boolean, hidden: number, scale: number, slope: number,
 *   index: number, cells: number, values: Numbers, slopes: Float32Array | null,
 *   causes: Uint8Array | null }} Tensor
 */
/** @typedef {{ tensors: Tensor[], labels: Record<string, Names>, [more: string]: any }} Decoded */

/** @param {Uint8Array} bytes */
export function decode(bytes) {
  // A copy, because the message is not aligned.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  /** @type {Decoded} */
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  /** @type {<Type extends Numbers>(Type: new (buffer: ArrayBuffer, offset: number, count: number) => Type, count: number) => Type} */
  const numbers = (Type, count) => {
    const array = new Type(buffer, offset, count);
    offset += 4 * Math.ceil(array.byteLength / 4);
    return array;
  };
  data.tensors.forEach((tensor, index) => {
    tensor.index = index;
    tensor.cells = tensor.rows.count * tensor.columns.count;
    const count = (tensor.heads?.count ?? 1) * tensor.cells;
    tensor.values = tensor.kind === "mask" ? numbers(Uint8Array, count) : numbers(Float32Array, count);
    tensor.slopes = tensor.gradient ? numbers(Float32Array, count) : null;
    tensor.causes = tensor.hidden ? numbers(Uint8Array, tensor.hidden * tensor.cells) : null;
    for (const side of [tensor.rows, tensor.columns]) side.names = data.labels[side.labels] ?? null;
  });
  return data;
}
