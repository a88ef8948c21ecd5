// Decodes the server's message: a JSON header and the numbers of every tensor, packed by heatmap.py.

export type Span = { first: number, count: number, size: number }; // the part of `size` that is shown
export type Numbers = Float32Array | Uint8Array;
type Names = { first: number, names: string[] }; // of what is counted from `first` on
export type Side = Span & { axis: string, labels: string, names: Names | null }; // rows or columns; `names` is set here
/** A tensor from heatmap.py; fields after `slope` are set here. */
export type Tensor = { name: string, title: string, kind: "signed" | "probability" | "mask" | "tokens", whole: boolean,
    role: [letter: string, colour: string] | null, output: boolean, axes: number[], heads: (Span & { axis: string }) | null, rows: Side,
    columns: Side, marked: number | null, gradient: boolean, hidden: number, scale: number, slope: number,
    index: number, cells: number, values: Numbers, slopes: Float32Array | null,
    causes: Uint8Array | null };
/** A matrix to draw, row by row: `most` ends its colour scale, `hidden` has the reasons why cells are hidden. */
export type Matrix = { kind: string, whole: boolean, title: string, values: Numbers, hidden: Uint8Array | null, rows: number,
    columns: number, row: Side, column: Side, marked: number | null, most: number, coloured: boolean, strip?: boolean };
/** The matrix of a head of a tensor, or of its gradient (`slope`). */
export type Grid = Matrix & { tensor: Tensor, head: number, slope: boolean };
export type Decoded = { tensors: Tensor[], labels: Record<string, Names>, [more: string]: any };

export function decode(bytes: Uint8Array) {
  // A copy, because the message is not aligned.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const data: Decoded = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  const numbers = <Type extends Numbers>(
    Type: new (buffer: ArrayBuffer, offset: number, count: number) => Type, count: number,
  ) => {
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
