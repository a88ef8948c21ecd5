// Follows a link of the page as a click on it would. A page that redraws itself by a timer cannot be left from the
// server: a timer that fires meanwhile would bring parts of it back into the next one.

export function follow({ data }) {
  if (!data.to) return;
  document.querySelector(`.stMain a[href$="${data.to}"]`)?.click();
}
