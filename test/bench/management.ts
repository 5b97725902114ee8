import { createClient, optionsFromEnvironment } from "@devid/sdk";
import { declared, EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { USERS_START } from "../helpers/quick-programs";
import { clone } from "./clone";
import { figure, printFigures, type Figure } from "./figure";

/** 60 webhooks through a throttle of 5 requests/s, against a service that allows 5 a second. */
async function throttledCreates(): Promise<Figure[]> {
  const workspace = await LocalWorkspace.start({ rateLimit: 5 });
  const settings = {
    endpoint: workspace.url,
    managementKey: workspace.service.workspaces.us.managementKey,
    requestsPerSecond: "5",
  };
  let throttled = 0;
  const client = createClient({
    ...optionsFromEnvironment([{ settings, describe: (name) => name }], {}),
    onRequest: ({ status }) => void (status === 429 && throttled++),
  });
  const count = 60;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      client.webhooks.create({ url: `https://hooks.example/${n}` }),
    ),
  );
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  await workspace.close();
  return [
    figure("webhooks created at 5 requests/s", perSecond, "/s", {
      atLeast: 4.75,
    }),
    figure("answers 429 meanwhile", throttled, "", { atMost: 0 }),
  ];
}

/** Management calls of a preview of 200 unchanged resources. */
async function unchangedPreview(): Promise<Figure[]> {
  const workspace = await LocalWorkspace.start();
  const stack = await EngineStack.open({
    ...USERS_START,
    ...workspace.env,
    DEVID_REQUESTS_PER_SECOND: "1000",
  });
  try {
    stack.declare(
      Array.from({ length: 200 }, (_, n) =>
        declared("ApiKey", `key${n}`, { name: `Key ${n}`, type: "secret" }),
      ),
    );
    await stack.up();
    const mark = await workspace.mark();
    const startedAt = performance.now();
    const { changes } = await stack.preview();
    const seconds = (performance.now() - startedAt) / 1000;
    const calls = (await workspace.requestsSince(mark)).length;
    if (changes.same !== 201) throw new Error(JSON.stringify(changes));
    return [
      figure(
        "management calls of an unchanged preview of 200 resources",
        calls,
        "",
        { atMost: 0 },
      ),
      figure("time of that preview", seconds, "s"),
    ];
  } finally {
    stack.close();
    await workspace.close();
  }
}

async function main(): Promise<void> {
  printFigures([
    ...(await throttledCreates()),
    ...(await unchangedPreview()),
    ...(await clone()),
  ]);
}

void main();
