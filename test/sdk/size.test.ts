import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { bundled } from "./bundle-for-web";

// The bytes that an application adds, as a minified and compressed bundle.
it.each([
  ["isDevidError", "@devid/sdk/errors", 5_000],
  ["isDevidError", "@devid/sdk", 5_000],
  ["parseWebhook", "@devid/sdk/webhooks", 15_000],
  ["unseal", "@devid/sdk/sealed-results", 25_000],
  ["createClient", "@devid/sdk", 125_000],
])("%s of %s weighs less than %i bytes", async (name, entry, most) => {
  const code = `import { ${name} } from "${entry}"; console.log(${name});`;
  const packed = gzipSync(await bundled(code, "node"), { level: 9 });
  expect(packed.length).toBeGreaterThan(500);
  expect(packed.length).toBeLessThan(most);
});
