import { useTranslation } from 'react-i18next';
import { paths } from '@/shared/pages/paths';
import { KindButton } from '@/shared/widgets/data-source/kind-button';

/** A node begins with the type of its database. */
export function CreateButton() {
  const { t } = useTranslation('publish');
  return (
    <KindButton
      label={t('list.create')}
      menu="publish"
      use="publish"
      to={(moduletype) => paths.databaseConfig('publish', moduletype)}
    />
  );
}
