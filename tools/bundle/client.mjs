// The client in a bundle, for the tests that try the client of each bundle.
export { createClient } from "@devid/sdk";
