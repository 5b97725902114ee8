import { readWorkspace } from "@devid/clone";
import { expect, it } from "vitest";
import { sharedForTests } from "../../helpers/local-for-tests";
import { clientOf } from "../write/exported";

const workspace = sharedForTests();

it("sorts objects by their creation time, and then by their ID", async () => {
  // The clock of the service stands still, so all objects have the same time.
  await workspace.control("/clock", { now: "2026-01-01T00:00:00Z" });
  for (let n = 0; n < 20; n++)
    await workspace.call("POST", "/api-keys", {
      name: `Key ${n}`,
      type: "public",
    });
  const { objects } = await readWorkspace(clientOf(workspace));
  const places = (objects.ApiKey ?? []).map(
    ({ id, outputs }) => `${String(outputs.createdAt)} ${id}`,
  );
  expect(places.length).toBeGreaterThan(20);
  expect(places).toEqual([...places].sort());
});

it("follows pages, and reports its progress", async () => {
  for (let n = 0; n < 120; n++)
    await workspace.call("POST", "/webhooks", {
      url: `https://hooks.example/${n}`,
    });
  const mark = await workspace.mark();
  const seen: string[] = [];
  const { objects } = await readWorkspace(clientOf(workspace), {
    onProgress: ({ what, count }) => seen.push(`${count} ${what}`),
  });
  expect(objects.Webhook).toHaveLength(120);
  expect(seen.filter((text) => text.endsWith("webhooks")).slice(-1)).toEqual([
    "120 webhooks",
  ]);
  const log = await workspace.requestsSince(mark);
  expect(
    log.filter(({ path }) => path === "/management/webhooks"),
  ).toHaveLength(2);
});

it("drops secrets", async () => {
  const found = JSON.stringify(await readWorkspace(clientOf(workspace)));
  for (const secret of ["token", "signingKey", "basicAuth"])
    expect(found).not.toContain(`"${secret}"`);
});
