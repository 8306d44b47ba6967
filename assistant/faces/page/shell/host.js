// The host of this page: a laptop. `module-builder page` writes another one, for the reader's own browser.

export { connectToLaptop as connect } from "./host/http_host.js";
