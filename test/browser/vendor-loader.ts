/**
 * What the vendor's npm package 4.1.5 does in a page, rewritten from its observed
 * behaviour; the package itself is no dependency. The code is a text, because the
 * test's compiler would change an import within a function.
 *
 * `start` makes addresses from the endpoints, imports the script from them in order, at
 * most five times with a growing delay, and passes on its options. Each call of its
 * agent waits for the script's agent.
 */
export const VENDOR_LOADER = `
const failure = (code) =>
  Object.assign(new Error(code), { name: "FingerprintError", code, event_id: null });

function addresses(endpoints, apiKey) {
  const list = [endpoints?.__type__ === "withoutDefault" ? endpoints.value : endpoints].flat();
  return list.map((endpoint) => {
    const url = new URL(endpoint, location.href);
    url.pathname += (url.pathname.endsWith("/") ? "" : "/") + "web/v4/" + encodeURIComponent(apiKey);
    url.search = "?ci=jsl/4.1.5";
    return url.href;
  });
}

async function load({ apiKey, ...options }) {
  const visibilityStates = [{ time: new Date(), state: document.visibilityState }];
  const attempts = [];
  const list = addresses(options.endpoints, apiKey);
  for (let tries = 0; tries < 5; tries++) {
    const url = list[tries % list.length];
    const startedAt = new Date();
    try {
      const script = await import(url);
      attempts.push({ url, startedAt, finishedAt: new Date(), error: undefined });
      return await script.start({
        ...options,
        externalABSelections: { lwu: "ctrl" },
        ldi: { attempts, visibilityStates },
      });
    } catch (error) {
      if (error.name === "FingerprintError") throw error;
      attempts.push({ url, startedAt, finishedAt: new Date(), error });
      await new Promise((go) => setTimeout(go, Math.random() * 100 * 2 ** tries));
    }
  }
  throw failure("script_load_fail");
}

function start(options) {
  const agent = load(options);
  agent.catch(() => {});
  return {
    get: async (call) => (await agent).get(call),
    collect: async (call) => (await agent).collect(call),
  };
}`;

/** The integration that the vendor's React package 3.2.0 adds to the options. */
export const REACT_INTEGRATION = "react-sdk/3.2.0/react/19.3.1";
