// All scripts of the screen as one file. Two start with the page: the presenter view, so that a link to it never shows
// the normal view, and tooltips.

import "./presenter.ts";
import "../parts/tips.ts";

// The exports of a script by its path below playground/ui, without ".ts". It runs when it is first asked for.
export default (name: string) => import(`../${name}.ts`);
