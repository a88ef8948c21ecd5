// The colours of runs that are drawn together, each for a light and for a dark page.

const RUNS = [
  ["#1f6fc4", "#6cb2ff"],
  ["#c8590b", "#ff9d57"],
  ["#0b7f7a", "#3fc7c0"],
  ["#7a45b8", "#b98cf5"],
  ["#b8266f", "#ff86bd"],
  ["#7a6f00", "#d8c945"],
  ["#8a3f2d", "#e39a86"],
  ["#596175", "#aab3c8"],
];

export function colourOf(at) {
  const [light, dark] = RUNS[at % RUNS.length];
  return `light-dark(${light}, ${dark})`;
}
