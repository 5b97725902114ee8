import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { startService, type Service } from "@devid/service";
import { FILES } from "./demo-folder";

/** The local service that a demo command uses. */
export interface DemoService {
  readonly url: string;
  readonly managementKey: string;
  /** Stops the service if this command started it. */
  close(): Promise<void>;
}

/**
 * Uses the service that `npm run serve` started, or starts one for this
 * command.
 */
export async function demoService(): Promise<DemoService> {
  const running = await runningService();
  if (running) return running;
  const service = await startDemoService();
  const { managementKey } = service.workspaces.us;
  return {
    url: service.url,
    managementKey,
    close: () => service.close(),
  };
}

/**
 * Starts the service on the demo's data, on the same port as last time if it is
 * free.
 */
export async function startDemoService(): Promise<Service> {
  const options = {
    data: FILES.data,
    readyFile: FILES.ready,
    logLevel: "warn",
  } as const;
  const lastPort = existsSync(FILES.port)
    ? Number(readFileSync(FILES.port, "utf8"))
    : 8787;
  const service = await startService({ ...options, port: lastPort }).catch(
    (error: unknown) => {
      if (isPortInUse(error)) return startService({ ...options, port: 0 });
      throw error;
    },
  );
  writeFileSync(FILES.port, new URL(service.url).port);
  return service;
}

async function runningService(): Promise<DemoService | undefined> {
  if (!existsSync(FILES.ready)) return undefined;
  const { url, workspaces } = JSON.parse(readFileSync(FILES.ready, "utf8")) as {
    url: string;
    workspaces: { us: { managementKey: string } };
  };
  try {
    const answer = await fetch(`${url}/management/hello`, {
      headers: {
        authorization: `Bearer ${workspaces.us.managementKey}`,
        "x-api-version": "2025-11-20",
      },
    });
    if (!answer.ok) return undefined;
  } catch {
    // A killed service leaves its file behind.
    return undefined;
  }
  const { managementKey } = workspaces.us;
  return { url, managementKey, close: () => Promise.resolve() };
}

/** Whether the service failed to start because its port is in use. */
function isPortInUse(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
  );
}
