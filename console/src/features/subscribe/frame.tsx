import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/shared/pages/paths';
import './subscribe.css';

const places = {
  masters: paths.subscribe(),
  customers: paths.subscribers(),
  databases: paths.subscriberDatabases(),
  sheet: paths.dataSheet(),
} as const;
export type SubscribePlace = keyof typeof places;

/** The ways between the pages of subscriptions. */
export function SubscribeNav({ place }: { place: SubscribePlace }) {
  const { t } = useTranslation('subscribe');
  return (
    <>
      <h1 className="visually-hidden">{t(`place.${place}`)}</h1>
      <nav className="subscribe-nav" aria-label={t('place.all')}>
        {(Object.keys(places) as SubscribePlace[]).map((key) => (
          <Link key={key} to={places[key]} aria-current={key === place ? 'page' : undefined}>
            {t(`place.${key}`)}
          </Link>
        ))}
      </nav>
    </>
  );
}
