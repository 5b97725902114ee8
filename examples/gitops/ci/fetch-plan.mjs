// GitLab: fetches what the job `review` of the merged merge request kept.
//
//   node ci/fetch-plan.mjs plan.json in-force.txt
import { writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { codeHost, plainly } from "./code-host.mjs";

await plainly(async () => {
  const host = codeHost();
  const request = await host.requestOfThis();
  if (request === undefined)
    throw new Error(
      "This commit came with no merge request, so there is no plan of it that was reviewed.",
    );
  for (const file of argv.slice(2))
    await writeFile(file, await host.kept(request, file));
  console.log(`The plan of merge request !${request} is there.`);
});
