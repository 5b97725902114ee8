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
  await stack.configure("generations", value);
  const { code, text, changes } = await stack.operate(
    ...["up", "--yes", "--skip-preview", "--diff"],
  );
  expect(code).toBe(0);
  const { token } = await stack.outputs({ showSecrets: true });
  return { text, changes, token: String(token) };
};

const serverKeys = async () =>
  (await workspace.list("api-keys"))
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith("Server"));
/** Whether a token is accepted now. */
const isGood = async (token: string) => {
  const answer = await fetch(`${workspace.url}/us/v4/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status === 200;
};

it("rotates a key in three deployments, and some token is good at any time", async () => {
  const first = await deploy(["2026-10"]);
  expect(first.changes).toEqual({ create: 3 });
  expect(await stack.outputs()).toMatchObject({ token: "[secret]" });
  expect(await isGood(first.token)).toBe(true);

  const second = await deploy(["2026-10", "2026-11"]);
  expect(second.text).toMatch(/\+ .*:ApiKey: \(create\)/);
  expect(second.text).toContain("Server 2026-11");
  expect(second.changes).toEqual({ same: 3, create: 1 });
  expect(await serverKeys()).toEqual(["Server 2026-10", "Server 2026-11"]);
  expect(await isGood(first.token)).toBe(true);
  expect(await isGood(second.token)).toBe(true);
  expect(second.token).not.toBe(first.token);

  const third = await deploy(["2026-11"]);
  expect(third.text).toMatch(/- .*:ApiKey: \(delete\)/);
  expect(third.changes).toEqual({ same: 3, delete: 1 });
  expect(await serverKeys()).toEqual(["Server 2026-11"]);
  expect(await isGood(first.token)).toBe(false);
  expect(await isGood(third.token)).toBe(true);
  expect(third.token).toEqual(second.token);

  for (const token of [first.token, second.token])
    expect(stack.output).not.toContain(token);
});
