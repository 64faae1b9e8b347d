// What the server declares of its lists; apart from the other door, which the sign-in page opens too.
export * from './gen/lists.gen';
