// The Play button is a different widget for each label. This keeps the focus on it when the label changes.

const PLAY = "[class*=st-key-play-] button";

let held: Element | null = null; // the button with the focus, or with it when it was replaced

const watcher = new MutationObserver(() => {
  if (!held || held.isConnected) return;
  if (document.activeElement !== document.body) return hold(null);
  const button = document.querySelector(PLAY);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
});

function hold(button: Element | null) {
  held = button;
  if (button) watcher.observe(document.body, { childList: true, subtree: true });
  else watcher.disconnect();
}

document.addEventListener("focusin", ({ target }) => hold(target instanceof Element ? target.closest(PLAY) : null));
document.addEventListener("focusout", () => {
  setTimeout(() => {
    if (held?.isConnected && document.activeElement !== held) hold(null); // the person moved the focus
  });
});
