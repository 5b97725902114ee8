// What a bundle holds of the client, for the tests that try each bundle's own.
export { createClient } from "@devid/sdk";
