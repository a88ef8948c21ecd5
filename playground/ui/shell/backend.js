// Where the server is. Streamlit would ask below the page's own address first, in vain: two failed requests a visit.

/** @type {any} */ (window).__streamlit = { BACKEND_BASE_URL: new URL("./", document.baseURI).href };
