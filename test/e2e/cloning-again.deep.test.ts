import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { killTree } from "../helpers/kill-tree";
import { itCopies } from "./cloning-page";

const scene = itCopies();

it("brings changes over, deletes what was deleted, and then has nothing to do", async () => {
  const [server] = await scene.named("Server", "us");
  const [copy] = await scene.named("Server", "eu");
  const [twin] = await scene.named("Twin", "us");
  await scene.workspace.call("PATCH", `/api-keys/${String(server?.id)}`, {
    name: "Backend",
    rate_limit: 7,
  });
  await scene.workspace.call("DELETE", `/api-keys/${String(twin?.id)}`);
  await scene.post("/api-keys", { name: "By hand", type: "proxy" });
  const mark = await scene.workspace.mark();
  await scene.follow("Bring changes over", "eu");
  expect(await scene.named("Backend", "eu")).toMatchObject([
    { id: copy?.id, rate_limit: 7 },
  ]);
  expect(await scene.named("Twin", "eu")).toHaveLength(1);
  expect(await scene.named("By hand", "eu")).toHaveLength(1);
  // The key by hand was taken over.
  expect(await scene.named("By hand", "us")).toHaveLength(1);
  expect(
    (await scene.writes(mark)).map((one) => one.split(" ")[0]).sort(),
  ).toEqual(["DELETE", "PATCH", "POST"]);
  const again = await scene.workspace.mark();
  await scene.follow("Bring changes over", "eu");
  expect(await scene.writes(again)).toEqual([]);
});

it("goes on after a kill in the middle, and makes nothing twice", async () => {
  for (const n of [1, 2, 3])
    await scene.post("/api-keys", { name: `Late ${n}`, type: "secret" });
  await scene.shell.ok("devid export --region us --out workspace");
  await scene.workspace.fault({
    match: { method: "POST", path: "/management/api-keys" },
    times: 1,
    then: "hang",
    after: true,
  });
  const killed = scene.shell.run(
    "pulumi up --yes --skip-preview --stack eu --cwd workspace & echo $! >pid; wait",
  );
  while (
    (await scene.workspace.list("api-keys", "eu")).filter((one) =>
      String(one.name).startsWith("Late "),
    ).length < 3
  )
    await sleep(50);
  await killTree(Number(readFileSync(join(scene.shell.folder, "pid"), "utf8")));
  await killed;
  await scene.workspace.forgetFaults();
  // An engine that keeps attributes fails here if the kill left their file empty.
  const state = join(scene.shell.folder, ".engine", "state");
  expect(
    readdirSync(state, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".attrs"),
    ),
  ).toEqual([]);
  await scene.follow("Killed in the middle", "eu");
  for (const n of [1, 2, 3])
    expect(await scene.named(`Late ${n}`, "eu")).toHaveLength(1);
  expect(await scene.shell.run("devid compare us eu")).toMatchObject({
    text: expect.stringContaining("1 difference: 1 changed.") as string,
  });
});
