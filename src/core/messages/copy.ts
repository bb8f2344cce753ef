/**
 * A deep copy of JSON-like data: what a caller later does to a message that it gave or received does not affect the
 * transcript. Any value but a list or an object is returned as it is, for the parser to judge.
 */
export function copyData<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyData) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyData(item)])) as Value;
}
