import type { ReactNode } from 'react';
import { PageNav } from '@/shared/ui/page-nav';
import { useAudience, useWords } from './audience';
import './subscribe.css';

const places = ['masters', 'customers', 'databases', 'sheet'] as const;
export type SubscribePlace = (typeof places)[number];

interface Props {
  place: SubscribePlace;
  /** Whose things are listed. */
  children?: ReactNode;
}

/** The ways between the pages of subscriptions, or of processes. */
export function SubscribeNav({ place, children }: Props) {
  const { t } = useWords();
  const { paths } = useAudience();
  return (
    <>
      <h1 className="visually-hidden">{t(`place.${place}`)}</h1>
      <PageNav
        label={t('place.all')}
        pages={places.map((key) => ({ path: paths[key](), label: t(`place.${key}`) }))}
        current={paths[place]()}
      >
        {children}
      </PageNav>
    </>
  );
}
