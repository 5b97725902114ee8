// Declares the resources of program.json in this folder. That file is the program of a
// story, with the IDs of objects made by hand in place of their labels.
const pulumi = require("@pulumi/pulumi");
const { form, resources } = require("./program.json");
const devid = require(
  form === "plugin" ? "@devid/pulumi/plugin" : "@devid/pulumi",
);

const made = {};
const resolve = (value) => {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  if ("ref" in value) return made[value.ref].id;
  if ("secret" in value) return pulumi.secret(value.secret);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, resolve(member)]),
  );
};
// The component makes its keys itself. They are in the list only because it shows their
// generations.
const rotating = (name) => {
  const keys = resources.filter((one) => one.parent === name);
  if (keys.length === 0) return undefined;
  const generations = keys.map((key) => key.name.slice(name.length + 1));
  const { name: title, ...args } = keys[0].args;
  const base = title.slice(0, title.length - generations[0].length - 1);
  return { name: base, ...args, generations };
};
const components = resources
  .filter(({ kind }) => kind === "RotatingApiKey")
  .map(({ name }) => name);
for (const { name, kind, args, provider, aliases, ...options } of resources) {
  const { parent, deletedWith, ...others } = options;
  if (components.includes(parent)) continue;
  const opts = {
    ...others,
    ...(parent && { parent: made[parent] }),
    ...(deletedWith && { deletedWith: made[deletedWith] }),
    ...(aliases && { aliases }),
  };
  const given = kind === "RotatingApiKey" ? rotating(name) : args;
  made[name] =
    kind === "Group" || given === undefined
      ? new pulumi.ComponentResource(
          kind === "Group" ? "simulation:index:Group" : `devid:index:${kind}`,
          name,
          {},
          opts,
        )
      : new devid[kind](name, resolve(given), opts);
}
