// Play is one button for a person and another widget for each label. The keyboard stays on it when the label changes.

const PLAY = "[class*=st-key-play-] button";

/** @type {Element | null} */
let held = null; // the button that has the keyboard, or had it when it was replaced

document.addEventListener("focusin", ({ target }) => (held = target instanceof Element ? target.closest(PLAY) : null));
document.addEventListener("focusout", () => {
  setTimeout(() => {
    if (held?.isConnected && document.activeElement !== held) held = null; // left by hand
  });
});

// Called when the page has been drawn.
export function keepFocus() {
  if (!held || held.isConnected || document.activeElement !== document.body) return;
  const button = document.querySelector(PLAY);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}
