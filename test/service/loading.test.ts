import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const built = resolve(__dirname, "../../service/dist/index.js");

it("the start loads no HTTP client, no page of the console, no lint and no parser of YAML", () => {
  const code = `require(${JSON.stringify(built)}).startService({ port: 0, logLevel: "silent" })
    .then(async (service) => {
      console.log(JSON.stringify(Object.keys(require.cache)));
      await service.close();
    })`;
  const printed = execFileSync(process.execPath, ["-e", code], {
    encoding: "utf8",
  });
  const loaded = (JSON.parse(printed) as string[]).filter((file) =>
    /node_modules.(?:undici|yaml)\b|console-page|dist.(?:lint|solver|replay)/.test(
      file,
    ),
  );
  expect(loaded).toEqual([]);
}, 30_000);
