// The names of Streamlit's DOM that scripts rely on. They may change in any version of Streamlit.
// For style sheets, parts/page.css has them. tests/browser/test_dom_names.py looks for each name on the pages.

export const APP = ".stApp";
export const MAIN = ".stMain";
export const MAIN_BLOCK = ".stMainBlockContainer";
export const COMPONENT = ".stBidiComponent"; // what one of our components is drawn in
export const SKELETON = "[data-testid=stSkeleton]"; // stands for what is still loading
export const COLUMN = ".stColumn";
export const ROW = ".stHorizontalBlock";
export const BLOCK = `:is(.stElementContainer, [data-testid=stLayoutWrapper], ${COLUMN})`; // blocks of the page
export const NAVIGATION_LINK = ":is(.stAppHeader, .stSidebar) a"; // on a phone the menu is a bar at the bottom
export const SCRIPT_STATE = "data-test-script-state"; // an attribute: [data-test-script-state]
export const REVEAL = "[class*=st-key-reveal-] button"; // of a lesson's question
export const CONNECTION = "data-test-connection-state"; // an attribute: [data-test-connection-state]

// Selector of a container or widget by its key.
export const keyed = (key: string) => `.st-key-${key}`;
