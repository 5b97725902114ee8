/** Version of this package; a test holds it equal to package.json. */
export const version = "0.1.0";

/** The User-Agent header of every request: `devid/0.1.0 node/20.19.0 linux`. */
export const USER_AGENT = `devid/${version} node/${process.versions.node} ${process.platform}`;
