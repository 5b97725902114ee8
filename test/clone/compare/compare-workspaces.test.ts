import {
  compareWorkspaces,
  formatComparison,
  isSame,
  readWorkspace,
  select,
  type Comparison,
} from "@devid/clone";
import { beforeAll, expect, it } from "vitest";
import { fillAwkwardly } from "../../helpers/awkward-workspace";
import { sharedForTests } from "../../helpers/local-for-tests";
import { workspaceOf } from "../workspace-of";
import { clientOf } from "../write/exported";

const workspace = sharedForTests();
beforeAll(async () => {
  await fillAwkwardly(workspace, "us");
  await fillAwkwardly(workspace, "eu");
});

async function compared(): Promise<Comparison> {
  const [us, eu] = await Promise.all([
    readWorkspace(clientOf(workspace, "us")),
    readWorkspace(clientOf(workspace, "eu")),
  ]);
  return compareWorkspaces(
    { name: "us", selection: select(us) },
    { name: "eu", selection: select(eu) },
  );
}

it("compares objects of one name that are of one type, as adoption by name would", () => {
  const withKeys = (name: string, ...keys: [string, string][]) => ({
    name,
    selection: select(
      workspaceOf({
        ApiKey: keys.map(([type, description], index) => ({
          id: `tok_${index}`,
          outputs: { name: "Shop", type, description, status: "enabled" },
        })),
      }),
    ),
  });
  const { objects } = compareWorkspaces(
    withKeys("before", ["proxy", "a"], ["secret", "b"]),
    withKeys("after", ["secret", "c"], ["proxy", "d"]),
  );
  expect(objects.map(({ fields }) => fields)).toEqual([
    [{ field: "description", before: "a", after: "d" }],
    [{ field: "description", before: "b", after: "c" }],
  ]);
});

// Each test continues from the state that the previous test left.

it("finds no difference between two workspaces with the same awkward names", async () => {
  expect(isSame(await compared())).toBe(true);
});

it("reports once that a webhook is verified on one side only", async () => {
  const url = "https://hooks.shop.example/verified";
  const webhook = { url, verified: true };
  const { id } = (await workspace.control("/us/webhooks", webhook)) as {
    id: string;
  };
  const removed = { change: "removed", what: "webhook", name: url };
  expect((await compared()).objects).toMatchObject([removed]);
  const copy = await workspace.make("/webhooks", { url }, "eu");
  expect((await compared()).objects).toEqual([
    {
      change: "changed",
      what: "webhook",
      name: url,
      ids: { before: id, after: copy.id },
      fields: [{ field: "verified", before: true, after: false }],
    },
  ]);
  await workspace.call("DELETE", `/webhooks/${id}`);
  await workspace.call("DELETE", `/webhooks/${copy.id}`, undefined, "eu");
});

it("pairs equal objects of one name first", async () => {
  const keys = await workspace.list("api-keys", "eu");
  const sameNamed = keys.filter(({ name }) => name === "Shop browser");
  expect(sameNamed).toHaveLength(2);
  const [first] = sameNamed;
  await workspace.call(
    "DELETE",
    `/api-keys/${String(first?.id)}`,
    undefined,
    "eu",
  );
  expect((await compared()).objects).toEqual([
    {
      change: "removed",
      what: "API key",
      name: "Shop browser",
      ids: { before: expect.stringMatching(/^tok_/) as string },
      environment: "the default environment",
    },
  ]);
});

it("compares every field that a program can declare", async () => {
  const change = async (collection: string, method: string, body: object) => {
    const [first] = (await workspace.list(collection, "eu")).slice(-1);
    await workspace.call(
      method,
      `/${collection}/${String(first?.id)}`,
      body,
      "eu",
    );
  };
  await change("environments", "POST", {
    description: "d",
    limit_mode: "restrict",
    limit_value: 7,
  });
  await change("webhooks", "PATCH", {
    description: "\u202ed",
    environment: null,
  });
  await change("encryption-keys", "PATCH", {
    name: "n",
    description: "d",
    status: "enabled",
  });
  const { objects } = await compared();
  const fields = objects.flatMap(({ what, fields = [] }) =>
    fields.map(({ field, after }) => `${what} ${field} ${String(after)}`),
  );
  expect(fields.sort()).toEqual([
    "encryption key description d",
    "encryption key name n",
    "encryption key status enabled",
    "environment description d",
    "environment limitMode restrict",
    "environment limitValue 7",
    "webhook description \u202ed",
    "webhook environment undefined",
  ]);
});

it("reports rules in another order, and ignores mere differences in spelling", async () => {
  const { environment } = workspace.service.workspaces.eu;
  const rules = await workspace.call(
    "GET",
    `/filtering-rules?environment=${environment}`,
    undefined,
    "eu",
  );
  const sent = (rules as Record<string, unknown>[]).map(
    ({ name, expression, action, status }) => ({
      name,
      expression,
      action,
      status,
    }),
  );
  const write = (order: object[]) =>
    workspace.call(
      "POST",
      "/filtering-rules/bulk",
      { environment, mode: "overwrite", rules: order },
      "eu",
    );
  await write(
    sent.map((rule) => ({
      ...rule,
      expression: `( ${String(rule.expression)} )`,
    })),
  );
  expect((await compared()).ruleSets).toEqual([]);
  await write([...sent].reverse());
  const { ruleSets } = await compared();
  expect(ruleSets.map(({ environment: name }) => name)).toEqual([
    "the default environment",
  ]);
  expect(ruleSets[0]?.diff.changes.map(({ kind }) => kind)).toEqual([
    "moved",
    "moved",
    "moved",
  ]);
});

it("escapes hidden characters and table separators in a report", async () => {
  const comparison = await compared();
  const text = formatComparison([comparison], "text");
  expect(text).not.toContain("\u202e");
  expect(text).toContain(String.raw`-> "\u{202e}d"`);
  const markdown = formatComparison([comparison], "markdown");
  const rows = markdown.split("\n").filter((line) => line.startsWith("| "));
  expect(markdown).not.toContain("\u202e");
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
});
