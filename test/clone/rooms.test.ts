import { roomsAreKept } from "../helpers/rooms";

roomsAreKept(
  "clone/src",
  {
    read: [],
    compare: ["read"],
    declare: ["read"],
    recover: ["read"],
    drift: ["read", "recover"],
    write: ["declare", "read"],
  },
  ["index.ts"],
);
