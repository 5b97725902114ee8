import { beforeAll, expect, it } from "vitest";
import { expectGolden } from "../../helpers/golden";
import { sharedForTests } from "../../helpers/local-for-tests";
import { exported } from "./exported";

const workspace = sharedForTests();
beforeAll(async () => {
  const post = (path: string, body: object) => workspace.make(path, body);
  for (const { id } of await workspace.list("api-keys"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`);
  const staging = await post("/environments", {
    name: "Staging",
    description: "The shop before each release.",
    limit_mode: "notify",
    limit_value: 1000,
  });
  const inDefault = workspace.service.workspaces.us.environment;
  for (const [name, type, environment] of [
    ["Default browser", "public", inDefault],
    ["Default server", "secret", inDefault],
    ["Everywhere", "proxy", undefined],
    ["Staging browser", "public", staging.id],
  ]) {
    await post("/api-keys", { name, type, environment });
    // An export sorts by creation time.
    await workspace.control("/clock", { advance: "1s" });
  }
  await post("/webhooks", {
    url: "https://hooks.shop.example/staging",
    status: "disabled",
    environment: staging.id,
  });
  await post("/webhooks", { url: "https://hooks.shop.example/all" });
  for (const environment of [undefined, staging.id])
    await post("/filtering-rules/bulk", {
      environment,
      mode: "overwrite",
      rules: [
        {
          name: "phones",
          expression: "sdk.platform.is_android\n|| sdk.platform.is_ios\n",
          action: "deny",
        },
        {
          name: "shop",
          expression: `http.request.headers["Origin"][0] == "https://shop.example"`,
          action: "allow",
          status: "disabled",
        },
      ],
    });
});

it("writes a readable program", async () => {
  const { files } = await exported(workspace);
  const texts = [...files]
    .filter(([path]) => /\.ts$|^rules\/|^Pulumi\.yaml$/.test(path))
    .map(([path, text]) => `==> ${path} <==\n${text}`);
  // The service generates these IDs.
  const shown = texts
    .join("\n")
    .replaceAll(/\bae_\w{16}\b/g, "ae_AbCdEfGhIjKlMnOp");
  expectGolden("export/whole.txt", shown);
});

it("looks up an environment that the program does not declare by its name", async () => {
  const { files } = await exported(workspace, { include: ["webhooks"] });
  expect(files.get("environments.ts")).toContain(
    'export const staging = devid.getEnvironmentOutput({\n  name: "Staging",\n});\n',
  );
});

it("writes a report that says what to do", async () => {
  const { files } = await exported(workspace);
  const report = files.get("REPORT.md") ?? "";
  expectGolden("export/REPORT.md", report);
  expectGolden("export/README.md", files.get("README.md") ?? "");
});
