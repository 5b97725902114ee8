// GitLab: fetches the files that the review of the merged merge request kept for this
// stack.
//
//   node ci/fetch-plan.mjs plan.json in-force.txt
import { writeFile } from "node:fs/promises";
import { posix } from "node:path";
import { argv, env } from "node:process";
import { codeHost, plainly } from "./code-host.mjs";

await plainly(async () => {
  const host = codeHost();
  const request = await host.requestOfThis();
  if (request === undefined)
    throw new Error(
      "This commit came with no merge request, so there is no plan of it that was reviewed.",
    );
  const folder = posix.join(env.FOLDER, "plan", env.PULUMI_STACK);
  for (const file of argv.slice(2))
    await writeFile(file, await host.kept(request, posix.join(folder, file)));
  console.log(`The plan of merge request !${request} is there.`);
});
