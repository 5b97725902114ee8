import { expect, it, vi } from "vitest";
import { startLocal } from "../local-service.js";

it("a caller that goes away leaves no error in the log, on any surface", async () => {
  const errors: string[] = [];
  const local = await startLocal({
    logLevel: "error",
    logTo: { write: (line) => errors.push(line) },
  });
  const { url } = local.service;
  const identification = { visitor_id: "v1", visitor_found: true };
  const sdk = { platform: "android", version: "2.9.0" };
  await local.control("POST", "/us/events", {
    body: [{ identification, sdk }],
  });
  const authorization = "Bearer local-secret-us";
  const calls = [
    ["/drn/v1?signals=timestamps", { "x-api-version": "2024-09-01" }],
    ["/us/v4/events?vpn=true", {}],
    ["/us/visitors/v1", { "auth-api-key": "local-secret-us" }],
  ] as const;
  for (const [path, headers] of calls) {
    // The work begins when the caller has gone.
    await local.control("POST", "/faults", {
      body: { match: {}, times: 1, then: { delayMs: 150 } },
    });
    const { length } = (await local.control("GET", "/requests")).body as [];
    const gone = new AbortController();
    const call = fetch(url + path, {
      headers: { authorization, ...headers },
      signal: gone.signal,
    });
    const logged = async () =>
      (await local.control("GET", "/requests")).body as { status: number }[];
    await vi.waitFor(async () =>
      expect((await logged()).length).toBe(length + 1),
    );
    gone.abort();
    await expect(call).rejects.toThrow();
  }
  await local.service.close();
  expect(errors).toEqual([]);
});
