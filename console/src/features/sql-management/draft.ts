/** What stands in the editor. `id`, `description`: of the saved statement that it was opened from. */
export interface Draft {
  id: string;
  description: string;
  databaseId: string;
  statement: string;
}

export const EMPTY: Draft = { id: '', description: '', databaseId: '', statement: '' };
