import { resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const EXAMPLE = resolve(__dirname, "../../examples/rotation");

let workspace: LocalWorkspace;
let stack: EngineStack;

async function open(): Promise<void> {
  workspace = await LocalWorkspace.start();
  const { managementKey } = workspace.service.workspaces.us;
  const settings = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: managementKey,
  };
  stack = await EngineStack.open(settings, EXAMPLE);
}

/** Sets the generations in the program. */
const declare = (generations: readonly string[]) =>
  stack.configure("generations", JSON.stringify(generations));

afterEach(async () => {
  stack?.close();
  await workspace?.close();
});

const deploy = async (generations: readonly string[]) => {
  await declare(generations);
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
/** Whether the service accepts a token now. */
const isGood = async (token: string) => {
  const answer = await fetch(`${workspace.url}/us/v4/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status === 200;
};

it("rotates a key in three deployments, and one token works at any time", async () => {
  await open();
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
