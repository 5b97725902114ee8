import { once } from "node:events";
import { status, type ServiceError } from "@grpc/grpc-js";
import {
  GeneratePackageRequest,
  GetRequiredPackagesRequest,
  InstallDependenciesRequest,
  RunPluginRequest,
  RunRequest,
  type GetRequiredPackagesResponse,
  type RunPluginResponse,
  type RunResponse,
} from "@pulumi/pulumi/proto/language_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startLanguageHost,
  type LanguageHostProcess,
} from "./language-host-process.js";

let host: LanguageHostProcess;

beforeEach(async () => {
  host = await startLanguageHost();
});

afterEach(() => host.stop());

type Callback<Answer> = (error: ServiceError | null, answer: Answer) => void;

function call<Answer>(
  send: (callback: Callback<Answer>) => unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    send((error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

function pluginRequest(kind = "resource"): RunPluginRequest {
  return new RunPluginRequest()
    .setInfo(host.info)
    .setPwd(host.folder)
    .setKind(kind)
    .setEnvList([`PATH=${process.env.PATH}`, "WORD=tea=green"])
    .setArgsList(["127.0.0.1:1"]);
}

/** The output of a plugin, and how its call ends. */
async function runPlugin(request: RunPluginRequest): Promise<{
  stdout: string;
  stderr: string;
  exitCodes: number[];
  error?: ServiceError;
}> {
  const said = { stdout: "", stderr: "", exitCodes: [] as number[] };
  const stream = host.client.runPlugin(request);
  stream.on("data", (message: RunPluginResponse) => {
    said.stdout += Buffer.from(message.getStdout_asU8()).toString();
    said.stderr += Buffer.from(message.getStderr_asU8()).toString();
    if (message.hasExitcode()) said.exitCodes.push(message.getExitcode());
  });
  return new Promise((resolve) => {
    stream.on("end", () => resolve(said));
    stream.on("error", (error: ServiceError) => resolve({ ...said, error }));
  });
}

describe("the language host", () => {
  it("returns its version, and refuses calls that it does not support", async () => {
    const info = await call<{ getVersion(): string }>((callback) =>
      host.client.getPluginInfo(new Empty(), callback),
    );
    expect(info.getVersion()).toMatch(/^\d+\.\d+\.\d+$/);
    const generated = call((callback) =>
      host.client.generatePackage(new GeneratePackageRequest(), callback),
    );
    await expect(generated).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });

  it("ends when the engine closes its stdin", async () => {
    const ended = once(host.process, "exit");
    host.process.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it("names the plugins of installed packages", async () => {
    const packages = {
      plain: { name: "plain", version: "1.0.0" },
      "@pulumi/tea": {
        name: "@pulumi/tea",
        version: "2.0.0",
        pulumi: { resource: true, server: "http://127.0.0.1/plugins" },
      },
      "plain/node_modules/cup": {
        name: "cup",
        version: "v3.0.0",
        pulumi: { resource: true, name: "mug" },
      },
    };
    for (const [name, manifest] of Object.entries(packages)) {
      const file = `node_modules/${name}/package.json`;
      await host.write(file, JSON.stringify(manifest));
    }
    const request = new GetRequiredPackagesRequest().setInfo(host.info);
    const answer = await call<GetRequiredPackagesResponse>((callback) =>
      host.client.getRequiredPackages(request, callback),
    );
    const found = answer
      .getPackagesList()
      .map((each) => [each.getName(), each.getVersion(), each.getServer()]);
    expect(found.sort()).toEqual([
      ["mug", "v3.0.0", ""],
      ["tea", "2.0.0", "http://127.0.0.1/plugins"],
    ]);
  });
});

describe("a program", () => {
  it("without the SDK is reported as an error of the program", async () => {
    const request = new RunRequest().setInfo(host.info).setPwd(host.folder);
    const answer = await call<RunResponse>((callback) =>
      host.client.run(request, callback),
    );
    expect(answer.getError()).toContain("run `npm install` there");
  });

  it("whose packages cannot be installed ends the stream with npm's output", async () => {
    await host.write("package.json", "{ this is no JSON");
    const stream = host.client.installDependencies(
      new InstallDependenciesRequest().setInfo(host.info),
    );
    stream.resume();
    const [error] = (await once(stream, "error")) as [ServiceError];
    expect(error.code).toBe(status.UNKNOWN);
    expect(error.details).toMatch(/`npm install` in .* exited with code/);
  });
});

describe("a plugin", () => {
  it("gets its environment, and the engine gets its output and exit code", async () => {
    await host.linkPackages();
    await host.write(
      "index.js",
      'console.log(process.env.WORD, process.argv[2]); console.error("bye"); process.exitCode = 7;',
    );
    expect(await runPlugin(pluginRequest())).toEqual({
      stdout: "tea=green 127.0.0.1:1\n",
      stderr: "bye\n",
      exitCodes: [7],
    });
  });

  it.each(["resource", "analyzer"])(
    "of kind %s that cannot start ends its output stream",
    async (kind) => {
      const { error } = await runPlugin(pluginRequest(kind));
      expect(error?.code).toBe(status.FAILED_PRECONDITION);
      expect(error?.details).toContain("run `npm install` there");
    },
  );

  it.each([
    ["its call is cancelled", () => undefined],
    ["the host is interrupted", () => host.process.kill("SIGINT")],
    [
      "everything is cancelled",
      () => host.client.cancel(new Empty(), () => undefined),
    ],
  ])("ends when %s", async (how, act) => {
    await host.linkPackages();
    await host.write(
      "index.js",
      "console.log(process.pid); setInterval(() => {}, 1000);",
    );
    const stream = host.client.runPlugin(pluginRequest());
    stream.on("error", () => undefined);
    const [first] = (await once(stream, "data")) as [RunPluginResponse];
    const pid = Number(Buffer.from(first.getStdout_asU8()).toString());
    expect(process.kill(pid, 0)).toBe(true);
    if (how === "its call is cancelled") stream.cancel();
    else act();
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
