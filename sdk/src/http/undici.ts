/*
 * The part of undici that a client needs. The built package holds its code here
 * (sdk/bundle.mjs): as a package of its own, undici asks for Node's modules by `require`,
 * which bundles to ES modules do not have.
 */
export { Agent, Pool, ProxyAgent } from "undici";
