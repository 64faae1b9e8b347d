import { Form, Input, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type MenuRecord, menuAddGroup, menuEdit, menuMove } from '@/shared/api';
import { currentLocale } from '@/shared/i18n/locale';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh, useRefreshMenu } from './queries';

interface Props {
  /** Left out: a new group. */
  edit?: MenuRecord;
  tree: readonly MenuRecord[];
  onClose: () => void;
}

interface Values {
  titleZh: string;
  titleEn: string;
  parentKey?: string | null;
  shown?: boolean;
}

async function change(entry: MenuRecord, { titleZh, titleEn, parentKey, shown }: Values): Promise<void> {
  const { menuKey } = entry;
  await call(
    menuEdit({
      body: { menuKey, titleZh, titleEn, hidden: shown === false },
      ...audited(entry, { titleZh, titleEn, shown }),
    }),
  );
  const parent = parentKey ?? null;
  if (entry.kind !== 'group' && parent !== entry.parentKey)
    await call(menuMove({ body: { menuKey, parentKey: parent }, ...audited(entry, { parentKey: parent }) }));
}

/** What an entry is called, where it stands and whether it is shown; or a new group. */
export default function MenuDrawer({ edit, tree, onClose }: Props) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const refreshMenu = useRefreshMenu();
  const save = async (values: Values) => {
    if (edit) await change(edit, values);
    else await call(menuAddGroup({ body: values }));
    notify(
      'success',
      t(edit ? 'menu.changed' : 'menu.added', { name: values.titleZh || edit?.usualTitleZh }),
    );
    await Promise.all([refresh(), refreshMenu()]);
  };
  const isRequired = !edit || edit.ownGroup;
  const groups = tree.filter(({ kind }) => kind === 'group');
  const inChinese = currentLocale() === 'zh';
  return (
    <FormDrawer<Values>
      asked={edit ? 'modify' : 'submit'}
      title={
        edit ? t('menu.editTitle', { name: inChinese ? edit.titleZh : edit.titleEn }) : t('menu.addGroup')
      }
      open
      initialValues={edit && { ...edit, shown: !edit.hidden }}
      onSubmit={save}
      onClose={onClose}
    >
      {(['titleZh', 'titleEn'] as const).map((name) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`menu.${name}`)}
          extra={edit && !edit.ownGroup && t('menu.usual', { title: usual(edit, name) })}
          rules={[{ required: isRequired, whitespace: isRequired, message: t('nameFault') }]}
        >
          <Input {...upTo(50)} placeholder={edit && usual(edit, name)} />
        </Form.Item>
      ))}
      {edit && edit.kind !== 'group' && (
        <Form.Item name="parentKey" label={t('menu.group')}>
          <Select
            allowClear
            placeholder={t('menu.noGroup')}
            options={groups.map(({ menuKey, titleZh, titleEn }) => ({
              value: menuKey,
              label: inChinese ? titleZh : titleEn,
            }))}
          />
        </Form.Item>
      )}
      {edit && edit.kind !== 'permission' && (
        <Form.Item name="shown" label={t('menu.shown')} extra={t('menu.shownHint')} valuePropName="checked">
          <Switch />
        </Form.Item>
      )}
    </FormDrawer>
  );
}

function usual(entry: MenuRecord, name: 'titleZh' | 'titleEn'): string {
  return name === 'titleZh' ? entry.usualTitleZh : entry.usualTitleEn;
}
