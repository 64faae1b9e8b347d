import { ListChoice } from './list-choice';
import { ListSearch } from './list-search';
import { useStateLabel } from './state-tag';

/** What narrows a list of things that have a state; both empty: nothing. */
export interface StateFilter {
  search: string;
  state: string;
}

interface Props {
  /** What the fields are called: what is searched in, the choice of a state, and its first option. */
  words: { search: string; state: string; any: string };
  states: readonly string[];
  filter: StateFilter;
  narrow: (part: Partial<StateFilter>) => void;
}

/** The fields above a list of things that have a state: search, and one state or any. */
export function ListState({ words, states, filter, narrow }: Props) {
  const label = useStateLabel();
  const options = states.map((value) => ({ value, label: label(value) }));
  return (
    <>
      <ListSearch label={words.search} value={filter.search} onSearch={(search) => narrow({ search })} />
      <ListChoice
        label={words.state}
        value={filter.state}
        onChange={(state) => narrow({ state })}
        options={[{ value: '', label: words.any }, ...options]}
      />
    </>
  );
}
