import { expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";

it("a caller that disconnects during a long answer causes no error in the log", async () => {
  const errors: string[] = [];
  const local = await LocalWorkspace.start({
    logLevel: "error",
    logTo: { write: (line) => errors.push(line) },
  });
  await local.controlCall("POST", "/us/events", {
    body: Array.from({ length: 10_000 }, () => ({})),
    undocumented: true,
  });
  const headers = { authorization: "Bearer local-secret-us" };
  const ask = async (signal: AbortSignal) => {
    const url = `${local.service.url}/us/v4/events?vpn=true`;
    return (await fetch(url, { headers, signal })).text();
  };
  await ask(new AbortController().signal);
  let gone = 0;
  for (let ms = 0; ms < 30; ms += 1)
    await ask(AbortSignal.timeout(ms)).catch(() => gone++);
  expect(gone).toBeGreaterThan(5);
  await local.service.close();
  expect(errors).toEqual([]);
});
