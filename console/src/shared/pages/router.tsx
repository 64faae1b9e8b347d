import { createContext, type ReactNode, useContext } from 'react';
import { unstable_HistoryRouter as HistoryRouter } from 'react-router';
import type { GuardedHistory } from './guarded-history';

const HistoryContext = createContext<GuardedHistory | undefined>(undefined);

/** What `history` leads to. The router that also loads what its routes need is 17 KB larger, and nothing here needs it. */
export function RoutedPages({ history, children }: { history: GuardedHistory; children: ReactNode }) {
  return (
    <HistoryContext value={history}>
      <HistoryRouter history={history} basename={history.basename}>
        {children}
      </HistoryRouter>
    </HistoryContext>
  );
}

/** The history itself, whose `location` is where the viewer is now. What is drawn follows it a moment later. */
export function useHistory(): GuardedHistory {
  const history = useContext(HistoryContext);
  if (!history) throw new Error('Only what RoutedPages draws has a history');
  return history;
}
