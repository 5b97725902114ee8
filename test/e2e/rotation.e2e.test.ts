import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const EXAMPLE = resolve(__dirname, "../../examples/rotation");

let workspace: LocalWorkspace;
let stack: EngineStack;
beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
      DEVID_REQUESTS_PER_SECOND: "1000",
    },
    join(EXAMPLE),
  );
});
afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

const deploy = async (generations: readonly string[]) => {
  const value = JSON.stringify(generations);
  await stack.stack.setConfig("generations", { value });
  const { text } = await stack.preview();
  const changes = await stack.up();
  const outputs = await stack.stack.outputs();
  return { text, changes, token: outputs.token as Token };
};
interface Token {
  readonly value: string;
  readonly secret: boolean;
}

const serverKeys = async () =>
  (await workspace.list("api-keys"))
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith("Server"));
/** Whether a token is accepted now. */
const isGood = async ({ value }: Token) => {
  const answer = await fetch(`${workspace.url}/us/v4/events`, {
    headers: { authorization: `Bearer ${value}` },
  });
  return answer.status === 200;
};

it("rotates a key in three deployments, and some token is good at any time", async () => {
  const first = await deploy(["2026-10"]);
  expect(first.changes).toEqual({ create: 3 });
  expect(first.token.secret).toBe(true);
  expect(await isGood(first.token)).toBe(true);

  const second = await deploy(["2026-10", "2026-11"]);
  expect(second.text).toMatch(/\+ .*:ApiKey: \(create\)/);
  expect(second.text).toContain("Server 2026-11");
  expect(second.changes).toEqual({ same: 3, create: 1 });
  expect(await serverKeys()).toEqual(["Server 2026-10", "Server 2026-11"]);
  expect(await isGood(first.token)).toBe(true);
  expect(await isGood(second.token)).toBe(true);
  expect(second.token.value).not.toBe(first.token.value);

  const third = await deploy(["2026-11"]);
  expect(third.text).toMatch(/- .*:ApiKey: \(delete\)/);
  expect(third.changes).toEqual({ same: 3, delete: 1 });
  expect(await serverKeys()).toEqual(["Server 2026-11"]);
  expect(await isGood(first.token)).toBe(false);
  expect(await isGood(third.token)).toBe(true);
  expect(third.token).toEqual(second.token);

  for (const { value } of [first.token, second.token])
    expect(stack.output).not.toContain(value);
  await stack.destroy();
  expect(await serverKeys()).toEqual([]);
});
