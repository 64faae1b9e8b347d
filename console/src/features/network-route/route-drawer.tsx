import { Form, Input, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, networkRouteAdd, networkRouteEdit, type RouteRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh } from './queries';
import { initialOf, kinds, type RouteForm, routeOf, usualPort } from './route-form';
import { RouteTest } from './route-test';
import './network-route.css';

interface Props {
  /** Left out: a new route. */
  edit?: RouteRecord | undefined;
  onClose: () => void;
}

export default function RouteDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('network-route');
  const refresh = useRefresh();
  const save = async (values: RouteForm) => {
    const body = routeOf({ ...values, name: edit?.name ?? values.name });
    if (edit) await call(networkRouteEdit({ body: { ...body, id: edit.id }, ...audited(edit) }));
    else await call(networkRouteAdd({ body }));
    notify('success', t('saved', { name: body.name }));
    await refresh();
  };
  return (
    <FormDrawer<RouteForm>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('editTitle', { name: edit.name }) : t('add')}
      open
      initialValues={initialOf(edit)}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('name')}
        extra={t('nameHint')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(50)} disabled={edit !== undefined} autoComplete="off" />
      </Form.Item>
      <KindField />
      <WayFields edit={edit} />
      <SourceField />
      <Form.Item name="targets" label={t('targets')} extra={t('targetsHint')}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} maxCount={50} />
      </Form.Item>
      <Form.Item name="description" label={t('description')}>
        <Input {...upTo(200)} autoComplete="off" />
      </Form.Item>
      <RouteTest edit={edit} />
    </FormDrawer>
  );
}

function KindField() {
  const { t } = useTranslation('network-route');
  const form = Form.useFormInstance<RouteForm>();
  return (
    <Form.Item name="kind" label={t('kind')}>
      <Select
        onChange={(kind: RouteForm['kind']) => form.setFieldValue('port', usualPort(kind))}
        options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
    </Form.Item>
  );
}

/** The bastion or proxy, and who signs in. */
function WayFields({ edit }: Pick<Props, 'edit'>) {
  const { t } = useTranslation('network-route');
  const kind: RouteForm['kind'] | undefined = Form.useWatch('kind');
  if (kind === undefined || kind === 'direct') return null;
  const isSsh = kind === 'ssh';
  return (
    <>
      <Form.Item name="host" label={t('host')} rules={[{ required: true, message: t('hostFault') }]}>
        <Input {...upTo(255)} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="port" label={t('port')} rules={[{ required: true, message: t('portFault') }]}>
        <InputNumber min={1} max={65_535} precision={0} controls={false} />
      </Form.Item>
      <Form.Item
        name="user"
        label={t('user')}
        extra={isSsh ? undefined : t('userHint')}
        rules={[{ required: isSsh, message: t('userFault') }]}
      >
        <Input {...upTo(128)} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('password')} extra={edit?.hasPassword && t('passwordKept')}>
        <Input.Password {...upTo(255)} autoComplete="new-password" />
      </Form.Item>
      {isSsh && (
        <>
          <Form.Item name="key" label={t('key')} extra={t(edit?.hasKey ? 'keyKept' : 'keyHint')}>
            <Input.TextArea
              {...upTo(20_000)}
              rows={4}
              autoComplete="off"
              spellCheck={false}
              className="network-route-key"
            />
          </Form.Item>
          <Form.Item
            name="hostKey"
            label={t('hostKey')}
            extra={t('hostKeyHint')}
            rules={[{ required: true, message: t('hostKeyFault') }]}
          >
            <Input {...upTo(71)} autoComplete="off" spellCheck={false} />
          </Form.Item>
        </>
      )}
    </>
  );
}

function SourceField() {
  const { t } = useTranslation('network-route');
  const kind: RouteForm['kind'] | undefined = Form.useWatch('kind');
  return (
    <Form.Item
      name="source"
      label={t('source')}
      extra={t('sourceHint')}
      rules={[{ required: kind === 'direct', message: t('sourceFault') }]}
    >
      <Input {...upTo(45)} autoComplete="off" spellCheck={false} />
    </Form.Item>
  );
}
