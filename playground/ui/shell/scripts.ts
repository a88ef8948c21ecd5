// All scripts of the screen as one file. The presenter view starts with the page: a link to it never shows the normal view.

import "./presenter.ts";

// The exports of a script by its path below playground/ui, without ".ts". It runs when it is first asked for.
export default (name: string) => import(`../${name}.ts`);
