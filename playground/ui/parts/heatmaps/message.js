// What the server sends: a header in JSON and the numbers of every tensor, as heatmap.py packs them.

export function decode(bytes) {
  // A copy, because the message gives no alignment.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  const numbers = (Type, count) => {
    const array = new Type(buffer, offset, count);
    offset += 4 * Math.ceil(array.byteLength / 4);
    return array;
  };
  data.tensors.forEach((tensor, index) => {
    tensor.index = index;
    tensor.cells = tensor.rows.count * tensor.columns.count;
    const count = (tensor.heads?.count ?? 1) * tensor.cells;
    tensor.values = numbers(tensor.kind === "mask" ? Uint8Array : Float32Array, count);
    tensor.slopes = tensor.gradient ? numbers(Float32Array, count) : null;
    tensor.causes = tensor.hidden ? numbers(Uint8Array, tensor.hidden * tensor.cells) : null;
    for (const side of [tensor.rows, tensor.columns]) side.names = data.labels[side.labels] ?? null;
  });
  return data;
}
