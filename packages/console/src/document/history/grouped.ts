/** Members of a list by a key, in the order of the first of each. Pure. `Map.groupBy` is not in every version of Node.js that runs the tests. */
export function grouped<One, Key>(members: Iterable<One>, keyOf: (member: One) => Key): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const member of members) {
    const group = groups.get(keyOf(member));
    if (group === undefined) groups.set(keyOf(member), [member]);
    else group.push(member);
  }
  return groups;
}
