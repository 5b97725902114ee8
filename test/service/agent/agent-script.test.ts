import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { packageFile } from "../../../service/src/package-files";
import { openForTests } from "../../helpers/open-for-tests";
import { openApi } from "../documented";

const local = openForTests(new LocalWorkspace());

it.each(["us/web/v4/local-public-us", "eu/web/v4/any?region=eu"])(
  "serves the agent's script at %s to pages of any origin",
  async (path) => {
    const answer = await fetch(`${local.url}/${path}`, {
      headers: { origin: "https://shop.example" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(
      "text/javascript; charset=utf-8",
    );
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    // With a cached script, a browser would not notice a newer service.
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const script = packageFile("./browser-agent/script.mjs");
    expect((await answer.text()) === readFileSync(script, "utf8")).toBe(true);
  },
);

it("serves the script only in known regions", async () => {
  const answer = await fetch(`${local.url}/mars/web/v4/local-public-us`);
  expect(answer.status).toBe(404);
});

it("describes the script in the OpenAPI document", async () => {
  const { paths } = await openApi();
  const success = paths["/{region}/web/v4/{public_key}"]?.get?.responses["200"];
  expect(success?.content).toEqual({
    "text/javascript; charset=utf-8": { schema: { type: "string" } },
  });
});
