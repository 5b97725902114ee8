/** Version of this package; a test holds it equal to package.json. */
export const version = "0.1.0";

// In an edge runtime, `process` has neither.
const { versions, platform = "other" } = process as Partial<NodeJS.Process>;

/** The User-Agent header of every request: `devid/0.1.0 node/20.19.0 linux`. */
export const USER_AGENT = `devid/${version} node/${versions?.node ?? "other"} ${platform}`;
