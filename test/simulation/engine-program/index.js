// Declares what program.json beside it says: the program of a story, with the IDs of
// objects that were made by hand in place of their labels.
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
for (const { name, kind, args, provider, aliases, ...options } of resources) {
  const { parent, deletedWith, ...others } = options;
  const opts = {
    ...others,
    ...(parent && { parent: made[parent] }),
    ...(deletedWith && { deletedWith: made[deletedWith] }),
    ...(aliases && { aliases }),
  };
  made[name] =
    kind === "Group"
      ? new pulumi.ComponentResource("simulation:index:Group", name, {}, opts)
      : new devid[kind](name, resolve(args), opts);
}
