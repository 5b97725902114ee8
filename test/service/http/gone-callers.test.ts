import { expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";

it("a caller that disconnects during a long answer causes no error in the log", async () => {
  const errors: string[] = [];
  const local = await LocalWorkspace.start({
    logLevel: "error",
    logTo: { write: (line) => errors.push(line) },
  });
  const device = {
    identification: { visitor_id: "v1", visitor_found: true },
    sdk: { platform: "android", version: "2.9.0" },
  };
  for (const region of ["us", "eu", "ap"])
    await local.controlCall("POST", `/${region}/events`, {
      body: Array.from({ length: 700 }, () => device),
      undocumented: true,
    });
  const headers = {
    authorization: "Bearer local-secret-us",
    "x-api-version": "2024-09-01",
  };
  const ask = async (signal: AbortSignal) => {
    const url = `${local.service.url}/drn/v1?signals=timestamps`;
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
