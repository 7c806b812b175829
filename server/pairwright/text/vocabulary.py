"""Words of three letters and more that common tokenizers hold as one token, bare and after a space.

Counted over sources and documents in two dozen languages: the 3,000 most frequent ones that are
single tokens for cl100k, o200k and Qwen alike. Data only; what a word costs is said in `estimate`.
"""

from __future__ import annotations

COMMON = frozenset(
    """
aaa abb abc abi ability able abort about above abs absolute abstract acc accent accept acceptable
accepted access accessible according account ack acl acos act action actions activate active
activity actor acts actual actually acute adam adapt adapter adb add added adding additional addr
address addresses adds adj adjust admin admins advance advanced affected after again against age
agent aggregate ahead aid ain ajax aka algo algorithm alias aliases alice align aligned alignment
alive all alloc allocate allocated allocation allocator allow allowed allows almost alone along
alpha alphabet already also alt alter alternate alternative although always ambient amd ami among
amount amp amt analysis ancestor anchor and android angle ann annotation annotations announce
anonymous another ans answer answered answers any anything apache api app appear append apple
application applications apply appropriate approx apps apr apt arc arch architecture archive
archives are area aren arg argc args argument arguments argv arm around arr array arrays arrow
article articles artifact asc ascii ash ask asking asks asm assembly assert asset assign assigned
assignment assistant assoc associate associated assuming ast astr async atan atoi atom atomic
attach attached attachment attack attempt attention attr attribute attributes attrs audit auth
authenticate authenticated authentication author authorization authors auto automatic aux avail
availability available average avg avoid await aware away axes axis back backend background bad
badge bag ban banana band bang bank banks bar bare base based baseline basename bases bash basic
basis batch baz because bed been before begin behavior being belongs below bench benchmark best
beta better between big bill bin binary bind binding bindings bio bit bits black blank blend blink
blk blob block blocked blocking blocks blog blue board bob body bold boo book bool boolean boom
boot bootstrap bor border borrow bos both bottom bound boundary bounded bounding bounds bow box
boxed brace branch branches break breaking brew bridge brief broadcast broken brown browser bucket
budget buf buff buffer buffers bug bugs build builder building built builtin bulk bullet bundle
bus business busy but button buzz byte bytes cache cached calc calculate calendar call callback
callbacks called caller calling calloc calls came can cancel candidate cannot canonical cap
capacity capital caps caption capture captures car card cards care cargo carrier carry cart cas
case cases cash cast casting casts cat catalog catch categories category cats caught cause ceil
cell cells center central cerr cert certificate cfg chain challenge chan change changed changes
changing channel channels chapter char character characters charge chars charset chart chat check
checked checker checking checkout checkpoint checks child children chk chmod choice choices choose
chosen chr chunk chunks church cid cipher circle claim clang class classes classifier clazz clean
cleanup clear cli click client clients clip clipboard clock clone close closed closest closing
closure cloud cls clubs cmd cmp cms cnt code codec coded codes coding coef col cola cold collapse
collect collection collections collector collision colon color colors column columns com comb
combine combined come comes comma command commands comment comments commercial commit common
communication community comp compact compare comparison compat compatible compile compiled
compiler complete completed completion complex component components compose compound compress
compressed compression compute computed computer concat concept cond condition conditional
conditions conf config configs configuration configure configured confirm confirmed conn connect
connected connecting connection connections consider consistent console const constant constants
constexpr constraint constraints construct constructed construction constructor consume consumer
cont contact contain contained container containers contains content contents context contexts
continent continue contract contrast contributors control controlled controls conv conversation
conversion convert converted converter cookie cookies cool coordinates copies copy copyright core
corner correct cors cos cost could count counter countries country counts course cover coverage
covers cow cpp cpu crate crc create created creates creating creation creator credential
credentials critical cron crop cross crypto css csv ctrl ctx cuda cur curl curr currency current
currently cursor custom cut cwd cyan cycle cycles daemon daily damage dan dark dash data database
date dates datetime datum day days dbg dead deadline deal death deb debug dec decimal decision
decl declare decode decoded decoder ded deep def default defaults define defined defines
definition definitions defs deg degree degrees del delay delegate delete deleted delimiter
delivery delta demo dense density dent deny dep depend dependencies dependency dependent depending
depends deploy deployment deprecated depth deque der derive derived desc descr describe
description descriptor deserialize design desired dest destination destroy detach detail details
detect dev develop developer developers development device devices diag diamond dict dictionary
did die diff difference different digest digit digits dim dimension dimensions dims dir direct
direction directive directories directory dirname dirs dis disable disabled discard disconnect
discord discover discussion disk dispatch dispatcher display dispose dist distance distinct
distributed distribution div divide divider division django dll dns doc docker docs doctor
document documentation documents does dog doi doing domain don done dont door dos dot dotenv
double down download downloads draft draw drive driver drop drops dry dst dtype due dummy dump dup
duplicate duration during dyn dynamic each early ease easy ecc echo edge edges edit editable
edited editing edition editor eff effect effective effects efficient egg either elapsed elem
element elements elf elif else elseif elsif elt email embed embedded emit emoji empty enable
enabled enc encode encoded encoder encoding encrypted end ended endif ending endl endpoint ends
engine english ensure ent enter entered entity entries entry enum env environment epoch equal
equals erase err errmsg errno error errors errs esc escape escaped escaping especially ess
estimate eta etc eth eval evaluate evaluation even event events ever every everything evt exact
example examples exc except exception exceptions exchange exclude excluding exclusive exe exec
execute execution executor exercise exist existing exists exit exp expand expanded expect expected
expects experimental expiration expire expired expires expiry explicit explode export exports expr
express expression ext extend extended extends extension extensions extent extern external extra
extract eyes fab fac face facebook facet fact factor factory fail failed fails failure fake fall
fallback falls false family far fast fatal favor favorite feature features fed fee feed feedback
feeds fetch few ffi fft fid field fields fifo figure file filename filepath files filesystem fill
filled filter filtered filters final finally find finding fine finish finished finite first fish
fit fitness fits five fix fixed fixtures flag flags flash flat flatten flex float floating floor
flow flush fly fmt fname focus fold folder folders follow followers following font foo food footer
for force forced forces foreach foreground forget fork form format formats formatted formatter
formed former formerly forms formula fort forum forward found foundation four fprintf frac
fraction frag fragment frame frames framework fred free freeze fresh friend friendly from front
frontend ftp full fullname fully fun func function functional functions future gain gap gcc gen
general generate generated generation generator generic geo get getline gets getter gettext
getting gid git github give given glob global globals gmail goal going gone good goods goog google
got goto government grab gram grammar grant graph graphs grave gravity great greater green grep
grey grid group groups grow growth guard guess guid guide gzip hack had half halt hammer hand
handle handled handler handlers handles handling hands hard hardware has hash hat have haven
having hay hdr head header headers heading heads health heap heartbeat heavy height held hello
help helper helpers here hex hey hidden hide high higher highest highlight him hint his history
hit hold holder holders holding holds home homepage hook hooks hope hopefully horizontal hospital
host hostname hosts hotel hour hours hover how however href html http https hub human ice idea
ideal ideas ident identified identifier identify identity idle ids idx iff iframe ign ignore
ignored illegal image images img immutable imp impact impl implement implementation implemented
implements implicit implicitly implode import important imports inactive inc incl include included
includes including inclusive incoming incorrect increase increment increments ind indent index
indexed indexes indicator indices individual inet inf infer inflate info information infos ing
ingredient inherit inherits ini init initial initialize initialized initializer inject inline
inner inode input inputs ins insert inside inspect inst install installation installed installer
instance instances instant instead instr instruction instructions int integer integration intel
intent interactive interest interesting interface interfaces internal international internet
interp interpret interval into intro ints inv invalid invalidate inverse invert invoice invoke ipc
ips ipv isa isc isempty iso isset issue issued issuer issues italic item items iter iterate
iteration iterations iterator ith itr its jan jar java javascript javax jest jit job jobs john
join joining joint jon jpg jquery json jump jun junction just keep keeping kernel key keys keyword
keywords kill kind king klass know knowledge known kwargs label labels lag lambda landing lane
lang langs language languages large last lat late later latest latin latitude law layer layers
layout lazy lead leader leading leaf learn learning least leave left legacy legal len length less
let lets letter letters level levels lex lexer lhs liable lib libraries library libs license
licensed licenses lies life light like likely limit limitations limited limits line linear lines
linger link linked links lint linux list listed listen listener listing lists lit lite literal
little live living llvm lng load loaded loader loading loads loc local locale localhost locals
located location locations lock locked locking locks log logged logger logging logic logical login
logo logout logs long longitude look looking looks lookup loop loops lose loss lost lot lots low
lower lowest lua luck mac mach machine macro made magic mail main maintenance major make maker
makes making malloc man managed management manager mandatory manifest manual many map mapped
mapper mapping maps margin mark markdown marked marker markers market marks markup marshal mask
masked mass master mat match matched matcher matches matching materials math matrix matter max
maximum may maybe mean meaning means measure media median medical medium meet mem member members
membership memo memory mentioned menu merge merged message messages met meta metadata meth method
methods metric micro mid middle middleware might migration milliseconds mime min mind mine minimal
minimum minor minus minute minutes mirror misc missing mit mix mixed mkdir mobile mock mod mode
model models modern modified modifier modify mods module modules moment mon money mont month
months more most mostly motion mount mounted mouse move moves moving mpl msg msgs much mul mult
multi multipart multiple multiply must mut mutable mutex mux name named names namespace nan native
natural nav navigation nbr nearest necessary need needed needle needs neg negative neighbor
neighbors nest nested net network never new newline news next nic nice nick nickname nid nil nine
node nodes noise non nonce none nop nor norm normal normalize normalized normally not notation
note notes nothing notice notification notifications notify now npm nth null nullable nullptr num
number numbers numeric numpy nums oauth obj object objects objs observe obsolete oct odd off offer
official offset offsetof ofs often oid okay old older omit once one ones online only onto opaque
opcode open opened opening opens operand operate operation operations operator operators ops opt
optimized option optional options opts oracle ord order ordered ordering orders ordinal ordinary
org organization orig origin original osc ostream other others otherwise ought our ours out outer
outfile outline output outputs outside over overall overflow overlay override overview overwrite
own owned owner ownership owns pack package packages packed packet pad padding page pages paid
pain paint pair pairs panel panic paper paragraph parallel param parameter parameters params
parent parents parse parsed parser part partial participants particularly partition parts party
pass passed passes passwd password past paste pat patch path pathname paths pattern patterns pay
payload pdf peek peer peg pending people per percent percentage perf perfect perform performance
perhaps period perl perm permission permissions permit persist persistent person pet pets phase
photo photos php phys physical pick picture pid piece pieces pin ping pip pipe pipeline pivot
pixel pizza pkg pkt place placed placeholder places plain plaintext plan planet plat platform
player please plot plt plug plugin plugins plural plus png pod point pointer points pol policy
poll poly pool pop popular populate popup port portion ports pos position positions positive
possible possibly post posts pot potential pow power powered practice pragma pre precision pred
predicate prediction prefer preferences preferred prefix preg prepare prepared prepend presence
present press pretty prev prevent preview previous pri price primary prime primitive print printed
printer printf printing println prints prior priority priv private pro probably probe problem proc
procedure process processed processing processor processors produce product production products
prof profile profits prog program progress project projection projects promise prompt prop proper
properties property proposal props protect protected proto protobuf protocol prototype prov
provide provided provider providers province proxy pseudo pthread ptr pub public publish published
pull pure purpose push put puts pwd pytest python qty quad qualified quality quarter quarters
queries query question questions queue quick quiet quit quite quota quote quoted quotes race
radius raise raised raises raising rand random range ranges rank ranking rate rather raw reach
reachable react read reader reading readonly reads ready real really reason reasonable rec receive
received receiver recent recipes recognized recommend recommended record records rectangle
recursive recv red redirect redis reduce ref refer reference references reflect reflection refresh
refs reg regex regexp region register registered registration registry regs regular reinterpret
reject rel related relation relative release released reload rem remain remaining remember remote
remove removed rename render renderer renders rep repeat replace replacement reply repo report
reported reports repos repositories repository repr represent representation represented req
request requested requests require required requirements requires res research reserve reserved
reset reshape resize resolution resolve resolved resolver resource resources resp respect respond
response responses rest restore restrict restricted restriction result results resume ret retain
retrieve retry return returned returns retval reuse rev reverse review revision rewrite rgb rhs
rid right rights ring rio risk rnd rng rock role roll room rooms root roots rotate round rounded
route router routes routine routing row rows rpc rpm rsa rsp rst rtc ruby rule rules run runner
running runs runtime rust safe said sale salt same sample samples sandbox sanitize sans save saved
saving say scalar scale scan scenario schedule scheduled schema schemas scheme science scope
scratch screen script scripts sdk sea sealed search sec second secondary seconds secret secs sect
section sections secure security sed see seed seek seen seg segment segments sel select selected
selection selector self sell semantic semi send sender sending sense sent sentence sep separator
seq sequence ser serde serial serialization serialize serialized serializer series serve server
servers service services session sessions set sets setter setting settings setup severity sha
shake shall shape share shared shell shift shop short shortcut shot should show shown shows shr
shuffle shutdown side sig sign signal signals signature signed sil silent silver similar simple
sin since single singleton sink site six size sizeof sizes skip slash sleep slice slot slots slow
slug small smart snapshot snippet sock socket software sol solid solution solve some someone
something sometimes soon sort sorted sorting sound source sources spa space spaces span spawn spec
special specific specified speed spell splice split sprintf sql sqlite sqrt square src srv ssh ssl
stable stack stage stand standard stands star stars start started starting starts startup stat
state statement states static statistics stats status stay std stderr stdin stdout step steps
stick sticky still stmt stop storage store stored stores story str straight strategy strcmp
strconv stream streams strength strict stride string strings strip strlen stroke strong strpos
struct structure structured structures sts stub student studio study stuff style styles stylesheet
sub subject subjects submit submitted subs subscribe subscriber subscription subset subst substr
substring succ success successful such sudo suffix suggest suite sum summary sun sup super support
supported supports sure surface svg swap switch sym symbol symbols sync syntax sys system systems
tab table tables tabs tag tags tail take taken takes taking talk tan tap tar target targets task
tasks tax tbl tcp team teams technical technology tee tell temp template templates temporary ten
tensor term terminal terminate terminated termination terms test tested testing tests text
textarea texts than thanks that the their them theme then there these they thin thing things think
third this those though thread threads three threshold through throw throws thus tick ticket tid
tie time timeline timeout timer times timestamp timestamps timezone tiny title tls tmp tmpl toc
today todo toggle tok token tokens too tool tools top topic total toy tpl trace track tracked
tracker tracking trail trained trait traits trans transfer transform translate translated
translation translations transparent transport trash tree trees trial triangle tries trigger trim
true truncate trust trusted truth try trying ttl tty tuple turn turned tutorial twitter two txt
typ type typed typedef typename typeof types typically typing ubuntu uchar uid uint ulong unable
unc unchecked undef undefined under underline underscore undo unexpected unicode uniform union
uniq unique unit units unix unk unknown unless unlikely unlink unlock unordered unsafe unset
unsigned unsubscribe unsupported until unused unwrap upd update updated updates upgrade upload
uploaded uploads upon upper uppercase uri url urls urn usa usage usb use used user userdata
username users uses ushort using usize usr usual usually utc utf util utilities utility utils uuid
val valid validate validation validator validators vals value values van var varchar variable
variables variant vars vary vec vector vendor ver verb verbose verification verified verify
version versions vertical very via view views vim virt virtual visibility visible vision visit
visited visitor visual void volatile volume vote wait waiting walk walker walking want wanted warn
warning warnings was wat watch way ways weak web website weight weighted weights welcome well went
were what whatever wheel when where whether which while white who whole whose why widget widgets
width wiki will win window windows wire wise wish with within without won word words work worked
worker workers workflow working works workspace world worth would wrap wrapped wrapper write
writer writers writes writing written wrong www xhr xml xmlns xor xxx xxxx xyz yaml year yellow
yes yet yield you young your yyyy zero zeros zip zone
""".split()  # noqa: SIM905
)
