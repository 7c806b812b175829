"""Words of three letters and more that common tokenizers hold as one token, bare and after a space.

Counted over sources and documents in a dozen languages: the 1,800 most frequent ones that are
single tokens for cl100k, o200k and Qwen 2.5 alike. Data only; what a word costs is said in
`estimate`.
"""

from __future__ import annotations

COMMON = frozenset(
    """
aaa abc able abort about above abs absolute accent accept access account act action actions active
actual actually adapter add added adding additional addr address admin after again against age
agent aggregate ago ajax algorithm alias aliases align aligned all alloc allocator allow allowed
allows almost along alpha already also alt alter alternative always ancestor and another any
anything apache api app appear appearance append application apply appropriate apps archive are
arg args argument arguments argv aria around arr array arrays arrow ascii ask assert assign
associated ast async atomic attempt attr attribute attributes attrs audio audit auth
authentication author authorization authors auto autocomplete available avoid await aws axes axis
azure babel back backend background bad balanced band bar base based bash basic batch because been
before begin behavior being below bench benchmark best beta better between big bin binary bind
binding bit bits black blank blob block blocked blocks blue body bold bool boolean border both
bottom bound bounds box brace branch branches breadcrumbs break breaking bridge brief browser
bucket budget buf buffer bug bugs build builder built builtin bundle but button byte bytes cache
cached calc calculate calendar call callback callbacks called caller calling calls can cancel
cannot canonical capital caption cargo case cases cast cat catalog catch category cause center
cert certificate chain chalk challenge change changed changes changing channel char character
characters chars charset chat check checkbox checked checking checkout checks child children
choice choices choose chosen chunk chunks clang class classes classic clean cleanup clear cli
click client clip clock clone close closed closing cloud cls cluster cmd cmp cnt code codes col
collapse collect collection collections color colors cols column columns com combine combined
comma command commands comment comments commit common compare compat compatible compile compiler
complete completed completion complex component components compress compressed compute computed
concat condition conditional conditions conf confidence config configs configuration configure
configured confirmation conn connect connected connection connections connector console const
constant constants constexpr constraint constraints construct constructor contain container
contains content contents context continue contributors control convert converted cookie cookies
copy copyright core correct cos cost could count counter counts cov coverage cpu create created
creating creation credential credentials cross crypto csr csrf css ctrl ctx cur current currently
cursor custom cut cwd dark dashboard data database date dates datetime day days debug dec decimal
declare decode decoded decoder deep def default defaults define defined defines definition
definitions defs del delay delete deleted delimiter delta den density dep dependencies dependency
dependent depends deployment deprecated deps depth der desc descending description descriptor
desired dest destination destroy detail details detect dev device diag dict dictionary did die
diff difference different digest digit digital digits dim dimension dimensions dir direct
direction directories directory dirname dirs disable disabled disk dispatch dispatcher display
dist distance distributed distribution div django doc docs document documentation does doing dom
domain don done dot double down download draw driver drop dropdown dry dst dtype due dump dup
duplicate duration during dynamic each early echo edge edit editor effect effects either elem
element elements elif else elsif email embedding emit empty enable enabled encode encoded encoder
encoding encrypted end endif endpoint ends engine english ensure enter entity entries entropy
entry enum env environment eps equal err error errors esc escape escaped eslint est estimate etc
eval even event events every everything exact example examples exc except exception exceptions
exclude exe exec execute exist existing exists exit exp expand expect expected experimental expiry
explicit export exports expr expression ext extend extended extends extension extensions extern
external extra extract eye facet factor factory fail failed fails failure fallback false family
fast fatal favor feature features fetch fft field fields figure file filename files fill filter
filtered filters final find finish finite first fitness fix fixed flag flags flat flex float
floating flow flush fmt fname focus folder folders follow following font foo footer for force
forced foreign form format formats formatter forms forward found foundation fragment frame free
frequency friend from ftp full fun func function functions future gap gateway gcc gen general
generate generated generation generator generic geom geometry get gets gettext git github given
glob global gmail going good google got gradient grant graph greater grep grid group groups guard
gzip handle handler handlers handling has hash hashed have having head header headers heading
heads height hello help helper here hex hidden hide high highlight hint history hit home homepage
hook hooks hope host hostname hour hours hover how however href html http https hub icon ideal
identifier identity ids idx ignore ignored image img impl implement implementation implemented
import important inc include included includes including increment indent index indexes indices
individual inf info information inherit init initial initialize inline inner input inputs insert
inside inspect inst install installation installed instance instances instead instruction
instructions int integer interface internal interp interval into inv invalid inverse ipc ipv isa
isc iso issue issuer issues item items iter iteration iterations iterator its jac jan java
javascript jest job join json jsx just keep key keys keyword keywords kind know known kwargs label
labels lambda lang language large last later latest latin layer layout lazy leading least leave
left legacy len length less let letter letters level lhs lib libraries library license licenses
light like limit limits line linear lines link linked links lint linux list listed listener lists
lite literal live llvm load loaded loader loading loc local locale localhost location lock log
logged logger logging login logout logs long look looking looks lookup loop lost low lower mac
machine made mail main major make makes man managed management manager manifest many map mapping
maps margin mark mask masked master mat match matched matcher matches matching math matrix max
maximum may maybe mean means media medium member memory menu merge merged message messages meta
metadata meth method methods middle middleware might migration mime min minimum minor minute
minutes miss missing mit mkdir mock mod mode model models modified modify module modules mono
month months more most move msg much multi multiple must mutable name named names namespace nan
native nav necessary need needed needs negative nested net network never new next nid node nodes
non none noop norm normal normalize normalized not note notes nothing notice now nowrap npm nth
null num number numbers numeric numpy oauth obj object objects objs oct odd off offset oid old
omit once one ones only onto opacity open operand operate operation operations operator ops opt
option optional options opts oracle ord order ordering ordinal org organization orig origin
original oss other otherwise our out outer outline output outside over overflow override overwrite
own owner pack package packages pad padding page pages pair pairs para parallel param parameter
parameters params parent parents parse parsed parser part partial parts pass passed password past
pat patch path paths pattern patterns payload pdf peer pending per perform performance perl perm
permission permissions phase pick pid ping pipe pipeline pkg place placeholder plain plan platform
please plot plt plugin plural plus pod point pointer points policy poly polygon pool pop popup
port pos position positive possible possibly post power pre precision predicate prefer prefix
prepare present pretty prev prevent previous primary print printf prior priority private probably
problem proc process processed processing processor profile program progress proj project promise
prompt prop properties property protected proto protocol prototype provide provided provider proxy
pseudo ptr public publish published pull purpose push put pwd pytest python query queue quiet
quote quotes radius raise raised raises random range ranges rank rate rather ratio raw read reader
readonly ready real reason receive received receiver recent record rect recursive redirect redis
reduce ref refer reference references refresh refs reg regex region register registered
registration registry regular reject rel related relation relationship relative release reload rem
remaining remote remove removed render rep repeat replace reply repo report repository repr
representation req request requested requests require required requires res reserve reserved reset
reshape resolution resolve resolved resolver resource response responses rest restart result
results ret retry return returned returns rev reverse revision rgba rhs right rights rng role
roles root roots rotation round route router routing row rows rpm rtl rule rules run running runs
runtime rust safe salt same sample samples sans save saved say scalar scale scan schema scheme
scope screen script scripts scroll sdk search second secondary seconds secret section sections
secure security sed see seed seeing seek seen sel select selected selection selector selectors
self send sender sense sent sep separator seq sequence serialized server servers service session
sessions set sets setting settings setup sha shadow shape share shared shell shift short should
show side sidebar sig sigma sign signal signals signature signed similar simple sin since single
site sites size sizeof skip slash slice slot slug small snap snapshot sock socket software solid
solution solve some something sort sorted sorting source sources space spaces spacing span spawn
spec special specific specified split sprintf sql sqrt square src ssl stable stack stage standard
star start started starting starts stash stat state static stats status std stderr stdin stdout
step steps still stop storage store stored stores str strategy stream strict string strings strip
stroke strong struct structure studio style styles stylesheet sub subject submit submitted
substring success such suffix sum summary sun super support supported supports sure svg switch
symbol symbols sync syntax sys system systems tab table tables tag tags tail take takes tap tar
target targets task tbody team tell temp template templates term terminal terms test testing tests
text textarea texts than thanks that the their them theme then there these theta they things
thinking third this those thread three threshold through throw throws time timeout times timestamp
timezone tiny title tls tmp today todo toggle token tokens tol too tool toolbar tools top total
trace traits transaction transfer transform translate translation transparent tree trigger trim
true truncate trust trusted try ttl tuple turn two txt type typed typedef typename typeof types
typing uid uint undef undefined under uni unicode uniform unique unit units unix unknown unless
unordered unsafe unset unsigned unsupported until unused update updated updates upgrade upload
upper uppercase uri url urls usable usage use used user username users uses using usr utc utf util
utils uuid val valid validate validation validator validators value values var variable variables
variant vars vector vendor ver verbose verbosity verification verify version versions vertex
vertical very via view views virtual visible visited visual void wait walk want warn warning
warnings was way web week weeks weight weights well were what when where whether which while white
whole whose wide widget widgets width wiki will win window windows with within without won word
words work workers working works workspace would wrap wrapped wrapper write writing written wrong
www xml xxx yaml year yes yet yield you your yyyy zero zeros zip zone
""".split()  # noqa: SIM905
)
